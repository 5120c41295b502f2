"""The processes of a server: started, watched, measured, ended."""
