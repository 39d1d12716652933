"""What a browser is told of each HTML file that a refresh writes. Pure.

The files have no scripts and load nothing, and are opened from wherever somebody has put them, so each
carries its Content-Security-Policy itself; the server of a run's page says the same in a header. Charts have
styles in attributes, for which a policy knows no hashes.
"""

from __future__ import annotations

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
META = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
