/* Something to load and unload; see LoadedObjectTest.cpp. */
int kplanTestLibraryFunction(void) { return 1; }
