"""The systems, grouped as the tests are; importing a module registers its models."""
