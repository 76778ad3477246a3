"""Datasets of e-mails and mailing lists."""
