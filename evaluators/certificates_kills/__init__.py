"""Run-time certificates of the algorithms with kills: what paper 3's proofs say of every run.

Each module checks one kind of run against the log that its policy kept, in exact integers and with
the outputs that the policy never saw.  Broken ones raise CertificateError with the round.
"""

from .collect import certify_run, kill_certificates, log_certificates

__all__ = ["certify_run", "kill_certificates", "log_certificates"]
