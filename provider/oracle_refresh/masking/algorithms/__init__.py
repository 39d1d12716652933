"""The masking algorithms: each with its Python reference, its SQL, and the guarantees it gives."""

from oracle_refresh.masking.algorithms.character_mapping import CharacterMapping
from oracle_refresh.masking.algorithms.date_shift import DateShift
from oracle_refresh.masking.algorithms.email import Email
from oracle_refresh.masking.algorithms.redaction import Redaction
from oracle_refresh.masking.algorithms.secure_lookup import SecureLookup

Algorithm = SecureLookup | DateShift | Email | CharacterMapping | Redaction

__all__ = ["Algorithm", "CharacterMapping", "DateShift", "Email", "Redaction", "SecureLookup"]
