(in-package :coracle-tests)
