"""Files: canonical JSON, schemas, readers of instances and schedules, digests, the manifest."""
