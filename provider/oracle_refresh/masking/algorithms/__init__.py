"""The masking algorithms: each with its Python reference, its SQL, and the guarantees it gives."""

from oracle_refresh.masking.algorithms.character_mapping import CharacterMapping
from oracle_refresh.masking.algorithms.date_shift import DateShift
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.iban import Iban
from oracle_refresh.masking.algorithms.name import Name
from oracle_refresh.masking.algorithms.national_id import NationalId
from oracle_refresh.masking.algorithms.number_mapping import NumberMapping
from oracle_refresh.masking.algorithms.payment_card import PaymentCard
from oracle_refresh.masking.algorithms.phone import Phone
from oracle_refresh.masking.algorithms.protocol import ALGORITHMS, Algorithm, Guarantees
from oracle_refresh.masking.algorithms.redaction import Redaction
from oracle_refresh.masking.algorithms.secure_lookup import SecureLookup

__all__ = [
    "ALGORITHMS",
    "Algorithm",
    "CharacterMapping",
    "DateShift",
    "Email",
    "Guarantees",
    "Iban",
    "Name",
    "NationalId",
    "NumberMapping",
    "PaymentCard",
    "Phone",
    "Redaction",
    "SecureLookup",
]
