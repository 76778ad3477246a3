"""Decisions about membership, their figures and intervals, and the accounting of differential privacy."""
