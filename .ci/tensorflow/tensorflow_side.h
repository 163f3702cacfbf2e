// TensorFlow for a program that is compiled without its headers.
#pragma once

extern "C" {

// Has TensorFlow write a file and read it back: "OK", a space and what it read,
// or the error. Valid until the next call.
const char* TensorFlowWriteAndRead(const char* path, const char* text);
}
