// A library with the SONAME of TensorFlow's, which a program may open besides
// its plugins.
extern "C" const char* TF_SetStatus() { return "the other library's"; }
