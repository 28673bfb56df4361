"""Commands that are stopped from outside, by signals and full disks, and go on."""
