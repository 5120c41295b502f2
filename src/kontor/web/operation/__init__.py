"""For whoever runs a house: figures, the log, and whether it is fit to serve."""
