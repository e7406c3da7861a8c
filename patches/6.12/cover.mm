mm: Say what may share a cache line with zone->lock

zone->flags is read without zone->lock wherever pages are allocated and
freed, and shares the lock's cache line in most configurations, by accident
of the sizes of what is configured. Patch 1 puts it, and the head of
unaccepted_pages, ahead of the padding, and asserts at build time what the
order is for. Patch 2 asks the running kernel, by BTF or a module, and has
a benchmark for machines with more than one socket.

No speed is claimed: layouts were counted, not times. The documentation
says what to run.
