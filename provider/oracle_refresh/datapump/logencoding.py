"""Decode a log whose encoding is not recorded. Pure.

Data Pump writes messages in the language of the session that opened the job (Globalization Support Guide 19c,
"Setting Up a Globalization Support Environment"), in the character set of the database or of the client. The
file names neither. Its words do: the encoding in which most of them appear is the right one.
"""

from __future__ import annotations

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # begins as UTF-16's does
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: Words of the messages, and the encodings of their languages, the most usual first.
_LANGUAGES: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("gb18030",),
        "连接到|导入|导出|启动|处理|对象类型|作业|主表|错误|完成|警告|已存在|加载|卸载|转储文件|约束条件|行",
    ),
    (("big5hkscs",), "連線|匯入|匯出|啟動|處理|物件|工作|錯誤|完成|警告|已存在|載入|卸載|傾印檔|資料列"),
    (
        ("cp932", "euc_jp"),
        "接続先|インポート|エクスポート|起動|処理中|オブジェクト|ジョブ|マスター|エラー|完了|ロード",
    ),
    (("cp949",), "접속|임포트|엑스포트|시작|객체|유형|처리|작업|마스터|테이블|오류|완료|로드"),
    (
        ("cp1251", "koi8_r", "cp866", "iso8859_5"),
        "(?i:подключ|импорт|экспорт|запуск|обработк|объект|задани|таблиц|ошибк|заверш|успешно|строк)",
    ),
    (
        ("cp1252", "cp850"),
        r"(?i:connect(?:é|ée) |déma|maître|terminé|arrêté|exécut|déchargée|chargée|méthode|estimé|très"
        r"|schéma|données|für|läuft|übersprungen|ausgeführt|geändert|schlägt|größe|während|verfügbar|können"
        r"|está|exportación|importación|finalizó|método|creación|conexión|número|código|éxito|índice"
        r"|concluíd|conclusão|não|conexão|exportação|importação|descarreg|início|già|perché|più)",
    ),
    (
        ("cp1250", "iso8859_2"),
        "(?i:połączon|zakończ|błęd|obiekt|wierszy|přip|úspěšně|chyb|řádk|objektu|sikeres|hiba|csatlakoz)",
    ),
)


def decoded(content: bytes) -> str:
    """Return the text of a log: by its byte order mark, as UTF-8, else by the words of Data Pump's messages.

    If no word is known, decode as Latin-1, in which names, numbers and codes in ASCII are the same.
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content.decode(encoding, "replace")
    if (wide := _wide(content)) is not None:
        return content.decode(wide, "replace")
    try:
        # Incremental: the log of a running or killed job may end within a character.
        text = codecs.getincrementaldecoder("utf-8")().decode(content)
    except UnicodeDecodeError:
        text = ""
    return content.decode(_guess(content), "replace") if text.isascii() and not content.isascii() else text


def _wide(content: bytes) -> str | None:
    """UTF-16 without a mark: every other byte of most characters is zero."""
    sample = content[:4096]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if len(sample) < 8 or max(even, odd) * 4 < len(sample) or min(even, odd) * 8 > max(even, odd):
        return None
    return "utf-16-be" if even > odd else "utf-16-le"


def _guess(content: bytes) -> str:
    scores: dict[str, int] = {}
    for encodings, words in (*_LANGUAGES, (("utf-8",), "|".join(words for _, words in _LANGUAGES))):
        pattern = re.compile(words)
        for encoding in encodings:
            # ASCII words count in no encoding: they are the same in all.
            found = pattern.findall(content.decode(encoding, "replace"))
            scores[encoding] = sum(not word.isascii() for word in found)
    best = max(scores, key=lambda encoding: scores[encoding])
    return best if scores[best] else "latin-1"
