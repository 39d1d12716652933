"""What a store can do: by block size and users, with small files, flat files and dumps; and what follows."""
