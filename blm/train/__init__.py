"""Training: tensors of problems, the loop, and predictions. Importing it loads nothing heavy."""
