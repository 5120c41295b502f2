"""For whoever runs a server: figures, the log, and whether it is fit to serve."""
