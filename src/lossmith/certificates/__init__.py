"""Evidence as plain data, in the format of docs/certificate-format.md."""
