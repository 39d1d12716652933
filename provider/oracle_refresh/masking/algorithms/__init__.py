"""The masking algorithms: each with its Python reference, its SQL, and the guarantees it gives."""

from oracle_refresh.masking.algorithms.binary_lookup import BinaryLookup
from oracle_refresh.masking.algorithms.character_mapping import CharacterMapping
from oracle_refresh.masking.algorithms.constant import Constant
from oracle_refresh.masking.algorithms.date_shift import DateShift
from oracle_refresh.masking.algorithms.decomposition import Decomposition
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.free_text import FreeText
from oracle_refresh.masking.algorithms.full_name import FullName
from oracle_refresh.masking.algorithms.iban import Iban
from oracle_refresh.masking.algorithms.keep import Keep
from oracle_refresh.masking.algorithms.mapping import PoolMapping
from oracle_refresh.masking.algorithms.min_max import MinMax
from oracle_refresh.masking.algorithms.name import Name
from oracle_refresh.masking.algorithms.national_id import NationalId
from oracle_refresh.masking.algorithms.null import Null
from oracle_refresh.masking.algorithms.number_mapping import NumberMapping
from oracle_refresh.masking.algorithms.numeric_noise import NumericNoise
from oracle_refresh.masking.algorithms.payment_card import PaymentCard
from oracle_refresh.masking.algorithms.phone import Phone
from oracle_refresh.masking.algorithms.protocol import ALGORITHMS, Algorithm, Guarantees
from oracle_refresh.masking.algorithms.record_lookup import RecordLookup
from oracle_refresh.masking.algorithms.redaction import Redaction
from oracle_refresh.masking.algorithms.secure_lookup import SecureLookup
from oracle_refresh.masking.algorithms.segment_mapping import SegmentMapping

__all__ = [
    "ALGORITHMS",
    "Algorithm",
    "BinaryLookup",
    "CharacterMapping",
    "Constant",
    "DateShift",
    "Decomposition",
    "Email",
    "FreeText",
    "FullName",
    "Guarantees",
    "Iban",
    "Keep",
    "MinMax",
    "Name",
    "NationalId",
    "Null",
    "NumberMapping",
    "NumericNoise",
    "PaymentCard",
    "Phone",
    "PoolMapping",
    "RecordLookup",
    "Redaction",
    "SecureLookup",
    "SegmentMapping",
]
