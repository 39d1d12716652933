"""Oracle's text to tokens and trees: lexer, reserved words, sqlglot's parser reading Oracle's grammar."""
