"""What the name of a column, or the comment on it, says: English, German, French and Spanish terms.

A name is cut into words first (`custFirstName`, `CUST_FIRST_NAME1` -> `CUST FIRST NAME`), accents are
dropped. What the columns of a table have in common before their words (`C_FIRST`, `C_LAST` of CUSTOMER) is
dropped too. Long terms are found inside a word (CUSTFIRSTNAME), short ones at its beginning or after a word
that usually precedes them (HOMEPHONE): TEMP_NAME is no name of an employee, MICROPHONE no phone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from oracle_refresh.profiler.model import Kind
from oracle_refresh.profiler.words import fold


@dataclass(frozen=True)
class Hint:
    """What a name suggests, how strongly (0 to 1), and the term that says so."""

    kind: Kind
    strength: float
    term: str


_TERMS: tuple[tuple[Kind, float, str], ...] = (
    (
        Kind.FIRST_NAME,
        0.93,
        r"FIRST ?NAMES?|FI?R?ST ?NM\b|GIVEN ?NAMES?|FORE ?NAMES?|CHRISTIAN ?NAMES?|MIDDLE ?(NAMES?|INITIAL)"
        r"|VORNAMEN?|RUFNAME|PRENOMS?|NOMBRE DE PILA|PRIMER ?NOMBRE|SEGUNDO ?NOMBRE|\b[FM] ?NAME\b|\b(PERS"
        r"|KD|KUND|CUST|EMP) ?VNAME\b|\bVNAME\b|\bVORNA\b|\bGIVEN$|\bFORENM\b|\bKNOWN AS\b|PREFERRED ?NAME",
    ),
    (
        Kind.LAST_NAME,
        0.93,
        r"LAST ?NAMES?|LA?ST ?NM\b|SUR ?NAMES?|FAMILY ?NAMES?|MAIDEN ?NAMES?|BIRTH ?NAME|NACHNAMEN?"
        r"|FAMILIEN ?NAMEN?|ZUNAMEN?|GEBURTS ?NAMEN?|MADCHEN ?NAMEN?|NOM (DE )?(FAMILLE|NAISSANCE)"
        r"|NOM ?FAMILLE|APELLIDOS?|\bL ?NAME\b|\bNNAME\b|PATRONYME|\bNACHN\b",
    ),
    (
        Kind.FULL_NAME,
        0.88,
        r"FULL ?NAME|(CUSTOMER|CLIENT|EMPLOYEE|PATIENT|CONTACT|PERSON|MEMBER|GUEST|HOLDER|OWNER|BENEFICIARY"
        r"|PAYEE|RECIPIENT|SENDER|PASSENGER|STUDENT|TEACHER|DOCTOR|CARDHOLDER|INSURED|DRIVER|TENANT|SPOUSE"
        r"|AUTHOR|SUBSCRIBER|CUST|EMP) ?(FULL ?)?NA?ME?\b|CARD ?HOLDER|ACCOUNT ?HOLDER|NAME ON CARD"
        r"|\bPAYEE\b|(KUNDEN|MITARBEITER|PATIENTEN|PERSONEN|KONTAKT|INHABER) ?NAME|ANSPRECHPARTNER"
        r"|KONTO ?INHABER|KARTEN ?INHABER|NOM (DU |DE L )?(CLIENT|TITULAIRE|PATIENT|EMPLOYE|COMPLET)"
        r"|TITULAIRE|NOMBRE (COMPLETO|(DEL? )?(CLIENTE|EMPLEADO|TITULAR|PACIENTE))|TITULAR"
        r"|EMERGENCY CONTACT|NEXT OF KIN",
    ),
    (
        Kind.USER_NAME,
        0.72,
        r"USER ?NAME|LOGIN ?NAME|\bLOGIN\b|LOGON ?NAME|SCREEN ?NAME|NICK ?NAME|\bLOGIN ?ID\b"
        r"|BENUTZER ?(NAME|KENNUNG)|ANMELDE ?NAME|NOM ?(D )?UTILISATEUR|NOMBRE (DE )?USUARIO|TWITTER|SKYPE"
        r"|LINKEDIN|FACEBOOK|WHATSAPP|TELEGRAM",
    ),
    (
        Kind.EMAIL,
        0.93,
        r"E ?MAIL( ?ID\b)?|\bMAIL\b|COURRIEL|CORREO|MAIL ?(ADDR|ADRESSE)|ADRESSE ?ELECTRONIQUE"
        r"|\bELECTRONIC ?ADDRESS|\b(SMTP|EML) ?ADDR",
    ),
    (
        Kind.PHONE,
        0.9,
        r"PHONE(?!ME|TIC)|\bTELE?\b|\bTELF\b|TELEFON|TELEPHONE|\bTLF\b|\bTFNO?\b|\bMOBIL(E|NR|NUMMER|NO)?\b"
        r"|MOBIL ?TEL"
        r"|MOBILE ?(NO\b|NUM)|\bHANDY|CELL ?(PHONE|NO\b|NUM)|\bCELL$|\bPORTABLE$|\bMOVIL\b|CELULAR|\bFAX"
        r"|TELEFAX"
        r"|RUFNUMMER|\bMSISDN\b|DURCHWAHL|FESTNETZ|\bGSM\b",
    ),
    (
        Kind.BIRTH_DATE,
        0.95,
        r"BIRTH ?(DATE|DAY|DT|YEAR|DAT)|\bBIRTH\b|DATE OF BIRTH|\bD ?O ?B\b|\bBORN\b|GEB(URTS)? ?(DAT|TAG"
        r"|JAHR|DT)|\bGEBDAT\b|(DATE|DT|JOUR|ANNEE) ?(DE )?NAISS|NAISSANCE|(FECHA|FEC|FCH|ANO) ?(DE )?NAC"
        r"|NACIMIENTO|DATE ?NAISS|\bBDAY\b|\bBDATE\b|\bGBDAT\b|DEATH ?(DATE|DAY|DT|YEAR)|DATE OF DEATH"
        r"|DECEASED ?(DATE|DT|ON)\b|(DATE|DT) DECEASED|STERBE ?(DAT|TAG)|TODES ?(DAT|TAG)"
        r"|(DATE|DT) ?(DE )?DECES"
        r"|FECHA ?(DE )?(DEFUNCION|MUERTE|FALLECIMIENTO)",
    ),
    (
        Kind.NATIONAL_ID,
        0.93,
        r"\bSSN\b|SOCIAL ?SEC|\bSOC ?SEC\b|\bNINO\b|\bNI ?(NO|NUMBER)\b|NATIONAL ?(ID|INS)|\bNATL ?ID"
        r"|CITIZEN ?ID|IDENTITY ?(CARD|NO\b|NUM)|\bTAX ?(ID|NO\b|NR|NUM|PAYER)|\bTIN\b|\bITIN\b"
        r"|STEUER ?(ID|NR"
        r"|NUM|IDENT)|SOZIAL ?VERS|\bSV ?(NR|NUM)|\bRV ?(NR|NUM)\b|AUSWEIS ?(NR|NUM)?|PERSONAL ?AUSWEIS"
        r"|PASSPORT( ?(NO|NR|NUMBER|NUM|ID))?|REISEPASS|PASS ?(NR|NUMMER)\b|PASSEPORT|PASAPORTE|\bNIR\b"
        r"|\bINSEE\b|NUM ?SECU|SECU(RITE)? ?SOC|\bDNI\b|\bNIE\b|\bNIF\b|SEGURIDAD ?SOC|\bNUSS?\b|\bNSS\b"
        r"|DRIV(ER|ERS|ING) ?LIC\w*( ?(NO|NR|NUMBER|NUM|ID))?|FUHRERSCHEIN|PERMIS (DE )?CONDUIRE|CARNET"
        r"|\bBSN\b|\bPESEL\b|\bCPF\b|CODICE ?FISCALE|PERSON ?NUMMER|AADHAAR|\bNHS ?(NO|NR|NUM)"
        r"|\bVERSICHERTEN ?(NR|NUM)|INSURANCE ?(NO|NUM)|\bCURP\b|\bMEDICARE|CARTE ?(D )?IDENTITE|\bCNI\b"
        r"|LICENSE ?PLATE|\bVAT ?ID\b|\bMRN\b|\bNPI\b|MEDICAL ?REC(ORD)? ?(ID|NO\b|NR|NUM)"
        r"|PATIENT ?(NO\b|NR|NUM)"
        r"|(PERSON|PATIENT|SUBJECT) (SOURCE VALUE|IDENTIFIER)",
    ),
    (
        Kind.PAYMENT_CARD,
        0.93,
        r"CARD ?(NO\b|NUM|NBR|NR|#)|CREDIT ?CARD|DEBIT ?CARD|\bCC ?(NO|NUM|NBR)?\b|\bPAN\b|KREDIT ?KARTE"
        r"|KARTEN ?(NR|NUM)|CARTE ?(BANCAIRE|BLEUE|CREDIT)|(NUM|NUMERO) ?(DE )?CARTE|(NUM"
        r"|NUMERO) ?(DE )?TARJETA|TARJETA",
    ),
    (Kind.IBAN, 0.95, r"\bIBAN|IBAN\b"),
    (
        Kind.BANK_ACCOUNT,
        0.75,
        r"(BANK ?)?(ACCOUNT|ACCT) ?(NO|NUM|NBR|NR)\b|BANK ?(ACCOUNT|ACCT)|ACCOUNT ?NUMBER|KONTO ?(NR|NUM)"
        r"|(NUM|NUMERO) ?(DE )?(COMPTE|CUENTA)|\bRIB\b|\bCCC\b",
    ),
    (
        Kind.STREET,
        0.9,
        r"STREET|(SHIP|BILL|SOLD|REMIT|DELIVER) ?TO ?ADDR"
        r"|^STR$|\bSTR ?(NR|NUM|NAME)\b|\b(KD|KUNDE|PERS|ADR|WOHN|CUST|HOME) STR\b|STRASSE|\bSTRAS\b"
        r"|HAUS ?(NR|NUM)|HOUSE ?(NO\b|NUM)|ADDRESS ?LINE|\bADDR ?(LINE)?\b|\bADDRESS\b"
        r"|ANSCHRIFT|\bADRESSE\b|\bADRESS|\bRUE\b|\bVOIE\b|DIRECCION|DOMICILI|\bCALLE\b|POSTAL ?ADDR"
        r"|POSTFACH|PO ?BOX|HOME ?ADDR|WOHN ?ADR|\bAPARTMENT\b",
    ),
    (
        Kind.CITY,
        0.76,
        r"\bCITY\b|\bTOWN\b|\bORT\b|STADT|WOHNORT|\bVILLE\b|COMMUNE\b|LOCALITE|CIUDAD|MUNICIPIO|LOCALIDAD"
        r"|POBLACION|PLACE OF BIRTH|BIRTH ?(PLACE|CITY)|GEBURTS ?ORT|LIEU ?(DE )?NAISSANCE"
        r"|LUGAR (DE )?NACIMIENTO",
    ),
    (
        Kind.POSTCODE,
        0.76,
        r"\bZIP\b|ZIP ?(CODE|CD)|\bPSTLZ\b|POST ?CODE|POSTAL ?(CODE|CD)|\bPLZ\b|POSTLEITZAHL|CODE ?POSTAL"
        r"|\bCP\b|CODIGO ?POSTAL|\bCOD ?POSTAL",
    ),
    (Kind.LOCATION, 0.72, r"LATITUDE|LONGITUDE|\bLAT\b|\bLNG\b|\bLONG ?LAT\b|\bGEO ?(LOC|POINT|POS)|\bGPS"),
    (
        Kind.NETWORK_ADDRESS,
        0.92,
        r"\bIP\b|\bIPV[46]?\b|\bIP ?ADD?R|IP ?ADDRESS|REMOTE ?ADDR|\bMAC ?ADD?R|CLIENT ?IP|\bIMEI\b"
        r"|\bIMSI\b|DEVICE ?FINGERPRINT|ADRESSE ?IP",
    ),
    (
        Kind.GENDER,
        0.85,
        r"\bGENDER\b|\bSEX\b|GESCHLECHT|\bGESCH\b|\bSEXE\b|\bSEXO\b|\bGENRE ?SEXE\b"
        r"|SALUTATION|\bANREDE\b|CIVILITE",
    ),
    (
        Kind.NATIONALITY,
        0.8,
        r"NATIONALIT|\bNATIO\b|CITIZENSHIP|STAATS ?ANGEH|NACIONALIDAD|CIUDADANIA|COUNTRY OF BIRTH"
        r"|BIRTH ?COUNTRY"
        r"|GEBURTS ?LAND|ETHNIC|\bRACE\b|ETHNIE",
    ),
    (
        Kind.PERSONAL_FACT,
        0.8,
        r"MARITAL( ?STATUS)?|FAMILIEN ?STAND|ETAT ?CIVIL|SITUATION ?FAMIL|ESTADO ?CIVIL|RELIGION|KONFESSION"
        r"|DIAGNOSIS|\bDIAGNOSE\b|\bICD ?(CODE)?\b|BLOOD ?(TYPE|GROUP)|BLUT ?GRUPPE|GROUPE ?SANGUIN|ALLERG"
        r"|DISABILIT|BEHINDERUNG|HANDICAP|MEDICAL|MEDICATION|SEXUAL ?ORIENT|POLITICAL|UNION ?MEMBER"
        r"|GEWERKSCHAFT|CRIMINAL|CREDIT ?SCORE|BIOMETR|FINGER ?PRINT",
    ),
    (
        Kind.SALARY,
        0.85,
        r"SALAR(Y|IES|IO)|\bWAGES?\b|\bPAY ?(RATE|GRADE)\b|GEHALT|\bLOHN|SALAIRE|REMUNERATION|SUELDO"
        r"|\bNOMINA\b|INCOME|EINKOMMEN|\bREVENU\b|INGRESOS|\bBONUS\b|COMPENSATION|\bSAL\b|NET ?WORTH",
    ),
    (
        Kind.CREDENTIAL,
        0.9,
        r"PASSWORD|PASSWD|\bPWD\b|PASS ?PHRASE|PASSWORT|KENNWORT|MOT ?(DE )?PASSE|\bMDP\b|CONTRASENA"
        r"|\bSECRET\b|API ?KEY|ACCESS ?KEY|PRIVATE ?KEY|(ACCESS|REFRESH|AUTH|BEARER|SESSION) ?TOKEN"
        r"|\bPIN( ?CODE)?\b|\bCVV ?\b|\bCVC\b|SECURITY ?ANSWER|\bOTP\b|\bTOTP\b|\bSALT\b|\bCREDENTIALS?\b",
    ),
    (
        Kind.FREE_TEXT,
        0.72,
        r"\bREMARKS?\b|COMMENTS?\b|\bCMNTS?\b|\bNOTES?\b|BEMERKUNG|NOTIZ|KOMMENTAR|ANMERKUNG|COMMENTAIRE"
        r"|REMARQUE|OBSERVACION|COMENTARIO|\bNOTAS\b|\bMEMO\b|FREE ?TEXT|FREITEXT|TEXTE ?LIBRE|TEXTO ?LIBRE"
        r"|FEEDBACK|COMPLAINT|BESCHWERDE|RECLAMATION|\bQUEJA|CONVERSATION|TRANSCRIPTS?\b|CASE ?TEXT",
    ),
    (
        Kind.FREE_TEXT,
        0.35,
        r"DESCRIPTION|\bDESC\b|BESCHREIBUNG|DESCRIPCION|\bTEXT\b|\bBODY\b|\bCONTENT\b|\bREASON\b|INHALT"
        r"|\bMESSAGE\b",
    ),
    (
        Kind.DOCUMENT,
        0.8,
        r"DOCUMENTS?\b|ATTACHMENT|\bSCANS?\b|PHOTOS?\b|PICTURE|PORTRAIT|SIGNATURE|PASSPORT ?COPY|\bCV\b"
        r"|\bRESUME\b|DOKUMENT|ANHANG|\bFOTO|UNTERSCHRIFT|LEBENSLAUF|PIECE ?JOINTE|ADJUNTO|FIRMA ?DIGITAL"
        r"|\bPDF\b|\bIMAGE\b|\bAVATAR\b|CONTRACTS?\b",
    ),
    (Kind.DOCUMENT, 0.45, r"\bBODY\b|\bCONTENT\b|\bFILE\b|\bDATEI\b|\bFICHIER\b|\bARCHIVO\b|\bPAYLOAD\b"),
)
_COMPILED = tuple((kind, strength, re.compile(terms)) for kind, strength, terms in _TERMS)

#: A name of something or somebody: the table decides.
_PLAIN_NAME = re.compile(r"\b(NAME|NM|NAMEN?|NOM|NOMBRE)$")

#: The only word of a name, or the last one after an abbreviation: FIRST_, C_LAST. The table decides.
_HALF_NAME = re.compile(
    r"^(?:[A-Z]{1,3} |(?:CUST|CUSTOMER|CLIENT|EMPL?|EMPLOYEE|PERS|PERSON|PATIENT|CONTACT|MEMBER|USER|GUEST"
    r"|STUDENT|OWNER|HOLDER|SPOUSE|PARENT|MOTHER|FATHER|CHILD|MANAGER|BUYER|AGENT|AUTHOR|SENDER|RECIPIENT"
    r"|NAME) )?(?:(FIRST|MIDDLE|GIVEN|FNM)|(LAST|FAMILY|LNM))(?: NM)?$"
)

#: Words before a short term within a word: people, places of contact, order. `CUSTPHONE`, `NEWEMAIL`.
_BEFORE_TERM = re.compile(
    r"(?:CUSTOMER|CUST|CLIENT|KUNDEN?|KD|EMPLOYEE|EMP|MITARBEITER|PERSONAL|PERSONEN|PERSON|PERS|CONTACT|KONTAKT"
    r"|PATIENTEN?|PAT|USER|USR|MEMBER|GUEST|HOLDER|OWNER|PAYER|PAYEE|BUYER|SELLER|VENDOR|SUPPLIER|AGENT|STAFF"
    r"|STUDENT|TEACHER|DOCTOR|MOTHER|FATHER|PARENT|CHILD|SPOUSE|PARTNER|EMERGENCY|HOME|WORK|OFFICE|BUSINESS|PRIVATE?"
    r"|APPLICANT|SUBSCRIBER|PASSENGER|DRIVER|TRAVELL?ER|GUARDIAN|NEXT|OF|KIN|RECEIVER|CONSIGNEE|SHIPPER|REQUESTE?R"
    r"|CREATED|UPDATED|BY|TENANT|RESIDENT|VISITOR|DONOR|BORROWER|INSURED|BENEFICIARY|REFERRER|SPONSOR|RELATIVE|FRIEND"
    r"|FROM|TO|REPLY|SUPPORT|INVOICE|NOTIFY|NOTIFICATION|EVENING"
    r"|DAY|NIGHT|PRIMARY|SECONDARY|MAIN|BILLING|BILL|SHIPPING|SHIP|DELIVERY|MAILING|MAIL|POSTAL|POST|LEGAL|TAX"
    r"|CELL|MOBILE?|SMART|TELE?|FIXED|LAND|LINE|CREDIT|DEBIT|BANK|PAYMENT|ACCOUNT|ACCT|NEW|OLD|PREV|CURRENT|ALT"
    r"|OTHER|FULL|WOHN|GEBURTS|BIRTH|LIEFER|RECHNUNGS?|DIENST|FIRMEN|FIRMA|HAUPT|EMAIL|LOGIN|SENDER|RECIPIENT|REF)+"
)
_LONG_TERM = 7
"""A term of so many letters says the same inside any word."""
_SHORT_TERM = 5
"""A term of so many letters says the same after a mark of one or two letters: VEMAIL."""

#: A name of a person if the table is about people, else of a thing.
_DISPLAYED = re.compile(r"\bDISPLAY NAME\b")

#: Names of things, whatever else they say.
_THING = re.compile(
    r"\b(PRODUCT|ARTICLE|ITEM|FILE|TABLE|COLUMN|INDEX|HOST|SERVER|DOMAIN|SCHEMA|DATABASE|COUNTRY|REGION"
    r"|STATE|CURRENCY|COMPANY|BRAND|CATEGORY|DEPARTMENT|DEPT|PROJECT|JOB|TASK|EVENT|CAMPAIGN|COLOU?R|BANK"
    r"|STORE|SHOP|WAREHOUSE|UNIT|TEMPLATE|FIELD|PARAMETER|ATTRIBUTE|QUEUE|PLAN|TARIFF"
    r"|LANGUAGE|METHOD|CLASS|PACKAGE|SERVICE|MODEL|ARTIKEL|PRODUKT|DATEI|LAND|FIRMA|FIRMEN|ABTEILUNG"
    r"|PROJEKT|SPRACHE|PRODUIT|FICHIER|PAYS|SOCIETE|SERVICE|PRODUCTO|ARCHIVO|PAIS|EMPRESA"
    r"|DEPARTAMENTO) (FIRST |LAST )?(NAME|NM|NOM|NOMBRE)\b"
)

#: What follows a term and makes the column a fact about the thing: a flag, a count, a moment, a type.
_ABOUT = re.compile(
    r"\b(COUNT|CNT|FLAG|FLG|TYPE|TYP|STATUS|STATE|ENABLED|DISABLED|VERIFIED|VALID|CONFIRMED|CONSENT"
    r"|OPT ?(IN|OUT)|FORMAT|LENGTH|LEN|TEMPLATE|SUBJECT|VERSION|PRIORITY|SENT|RECEIVED|AT|TS|TIMESTAMP|DATE"
    r"|DT|EXPIRY|EXPIRES?|EXPIRED|CHANGED|UPDATED|CREATED|ATTEMPTS|RETRIES|POLICY|KIND|CATEGORY|LANGUAGE"
    r"|LANG|SEQ|SEQUENCE|ID|KEY|INDICATOR|IND|YN|RATE|RANK|GROUP|CLASS|SOURCE(?! VALUE)|LABEL|LIMIT|SIZE"
    r"|BYTES|MIME|EXTENSION|CURRENCY|COLOU?R|ANZAHL|NBR OF|KZ|TEMPL|DATUM|COUNTRY|PREFIX|DIAL|AREA|GESENDET"
    r"|QUEUE|SERVER|HOST|PORT|DOMAIN|SETTING|PREFERENCE|PREF)\b"
)
_BEFORE = re.compile(
    r"^(IS|HAS|HAD|CAN|ALLOW|SHOW|NUM|NUMBER OF|COUNT|CNT|MAX|MIN|TOTAL|NO OF|NBR OF|ANZ|ANZAHL|DEFAULT) "
)

_PEOPLE = re.compile(
    r"CUSTOMER|CLIENT|PERSON|PEOPLE|EMPLOYEE|STAFF|CONTACT|PATIENT|MEMBER|USER|SUBSCRIBER|GUEST|PASSENGER"
    r"|STUDENT|TEACHER|CITIZEN|APPLICANT|CANDIDATE|BORROWER|TENANT|DRIVER|DONOR|VISITOR|INSURED|BENEFICIAR"
    r"|HOUSEHOLD|PATRON|CUST\b|\bEMP\b|\bCRM\b|\bHR\b|KUNDE|MITARBEITER|PERSONAL|PATIENT|BENUTZER|MITGLIED"
    r"|TEILNEHMER|VERSICHERT|SCHULER|EMPLOYE|UTILISATEUR|ADHERENT|ASSURE|ELEVE|CLIENTE|EMPLEADO|USUARIO"
    r"|PACIENTE|SOCIO|ALUMNO|TITULAR|LEAD\b|LEADS\b"
)
_THINGS = re.compile(
    r"PRODUCT|ARTICLE|WAREHOUSE|STORES?\b|COUNTR|REGION|CURRENC|AIRPORT|STATION|BRANCH|VEHICLE|MACHINE"
    r"|SENSOR|PARTS?\b|CATALOG|INVENTORY|COMPAN|SUPPLIER|VENDOR|DEPARTMENT|LAGER|FILIALE|ARTIKEL|LAND\b"
    r"|LANDER|PRODUIT|MAGASIN|PAYS|PRODUCTO|ALMACEN|TIENDA|PAIS|\bCITIES\b|\bPLACES?\b|LOOKUP|\bREF\b"
    r"|CONFIG|SETTING|HOTEL|VENUE|SITES?\b"
)


@lru_cache(maxsize=65536)
def spaced(name: str) -> str:
    """The words of a name in upper case with one blank between: `custFirstName2` -> `CUST FIRST NAME`."""
    parted = re.sub(r"(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ])|[^\w]|[\d_]", " ", name)
    return " ".join(fold(parted).split())


def common_prefix(table: str, columns: Sequence[str]) -> str:
    """Return the first word that most columns of a table share and that abbreviates it: `C` of C_FIRST,
    C_LAST and C_CITY in CUSTOMER; an empty text if there is none."""
    firsts = Counter(words.partition(" ")[0] for column in columns if " " in (words := spaced(column)))
    for word, times in firsts.most_common(1):
        letters = iter(spaced(table).replace(" ", ""))
        stands_for_it = all(letter in letters for letter in word)
        if times >= 3 and times > len(columns) / 2 and (stands_for_it or len(word) <= 3):
            return word
    return ""


@lru_cache(maxsize=65536)
def name_hints(name: str, person_table: bool | None = None, prefix: str = "") -> tuple[Hint, ...]:
    """What a column's name suggests, strongest first; the strongest per kind.

    :param person_table: whether its table is about people, which decides what NAME alone means.
    :param prefix: word that the table's columns begin with (`common_prefix`).
    """
    words = spaced(name)
    if _THING.search(words) or (_DISPLAYED.search(words) and person_table is not True):
        return ()
    behind = len(prefix) if prefix and words.startswith(f"{prefix} ") else 0
    hints = _hints(words, person_table, behind)
    if not hints and behind:
        hints = _hints(words[behind:].lstrip(), person_table)
    return tuple(sorted(hints.values(), key=lambda hint: -hint.strength))


def _hints(words: str, person_table: bool | None, behind: int = 0) -> dict[Kind, Hint]:
    """Return the hints of words. A term ends behind the prefix: CC_NAME of CALL_CENTER names no card."""
    hints: dict[Kind, Hint] = {}
    for kind, strength, pattern in _COMPILED:
        match = next((match for match in pattern.finditer(words) if _counts(words, match, behind)), None)
        if match is None:
            continue
        rest = words[match.end() :]
        about = _ABOUT.search(rest) or _BEFORE.match(words[: match.start()])
        if about and not (kind is Kind.BIRTH_DATE and about[0].strip() in ("DATE", "DT", "DATUM")):
            strength *= 0.3
        if strength > (hints[kind].strength if kind in hints else 0.0):
            hints[kind] = Hint(kind, strength, match[0].strip())
    if hints.keys() & {Kind.CITY, Kind.POSTCODE} and Kind.STREET in hints:
        # ADDRESS_CITY is a city.
        hints[Kind.STREET] = replace(hints[Kind.STREET], strength=min(hints[Kind.STREET].strength, 0.6))
    half = None if hints else _HALF_NAME.search(words)
    if half:
        kind = Kind.FIRST_NAME if half[1] else Kind.LAST_NAME
        hints[kind] = Hint(kind, {True: 0.85, None: 0.65, False: 0.3}[person_table], half[1] or half[2])
    elif not hints and _PLAIN_NAME.search(words):
        strength = {True: 0.75, None: 0.35, False: 0.15}[person_table]
        hints[Kind.FULL_NAME] = Hint(Kind.FULL_NAME, strength, "NAME")
    return hints


def _counts(words: str, match: re.Match[str], behind: int) -> bool:
    """Whether a term begins a word, or is one that says the same inside this word."""
    if match.start() + len(match[0].rstrip()) <= behind:
        return False
    before = words[: match.start()].rpartition(" ")[2]
    term = match[0].strip().partition(" ")[0]
    return (
        match[0][:1] == " "
        or not before
        or len(term) >= _LONG_TERM
        or _BEFORE_TERM.fullmatch(before) is not None
        or (len(before) <= 2 and len(term) >= _SHORT_TERM)
    )


def is_code(name: str) -> bool:
    """Whether a name says that its column holds codes of things: BRANCH_CODE, ITEM_CD, SKU."""
    return _CODE.search(spaced(name)) is not None


_CODE = re.compile(r"\b(CODES?|CD|SKU|COD|KENNZEICHEN|KZ|REF|REFERENCE|PART ?(NO|NUM|NR))$|CODE$")


def comment_hints(comment: str) -> tuple[Hint, ...]:
    """What the comment on a column suggests: the same terms, a little weaker, in its first 200 characters."""
    return tuple(Hint(hint.kind, hint.strength * 0.9, hint.term) for hint in name_hints(comment[:200]))


@lru_cache(maxsize=8192)
def about_people(table: str) -> bool | None:
    """Whether the rows of a table are people, by its name: True, or False for things, None if unsaid."""
    words = spaced(table)
    if _PEOPLE.search(words):
        return True
    return False if _THINGS.search(words) else None
