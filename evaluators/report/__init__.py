"""What people look at: the memory-time picture and the static site of `report`."""
