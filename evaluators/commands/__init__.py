"""What each command does; every function returns the exit code (DESIGN.md section 4)."""
