"""The report of a tournament: a folder of pages that needs no server, no network and no other file."""
