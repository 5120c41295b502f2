"""The archive: finished games that anybody may watch, found by game, people and date; their records to download."""
