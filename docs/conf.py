"""Sphinx's settings: `make docs` builds the pages to .local/docs, and a warning is an error."""

import importlib.metadata

project = "Oracle refresh for Apache Airflow"
author = "The contributors"
copyright = author
release = importlib.metadata.version("airflow-provider-oracle-refresh")

extensions = ["myst_parser"]
exclude_patterns = ["README.md"]
# Links lead to headings of other pages by the anchors that a forge shows them under.
myst_heading_anchors = 4
nitpicky = True
# Indented blocks are commands, SQL, YAML, pictures: none of them is Python unless it says so.
highlight_language = "text"
html_theme = "furo"
html_title = project
html_show_sphinx = False
