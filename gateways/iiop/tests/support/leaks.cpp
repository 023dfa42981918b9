// omniORB 4.2.5 does not free the reference of an object that says it has moved and is not
// followed: some 300 bytes for each letter to such a platform.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:omniObjRef::_unMarshal\n"; }
