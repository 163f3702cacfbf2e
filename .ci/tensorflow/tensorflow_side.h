// TensorFlow for a program that is compiled without its headers.
#ifndef FSLOAD_CI_TENSORFLOW_TENSORFLOW_SIDE_H_
#define FSLOAD_CI_TENSORFLOW_TENSORFLOW_SIDE_H_

extern "C" {

// Has TensorFlow write a file and read it back: "OK", a space and what it read,
// or the error. Valid until the next call.
const char* TensorFlowWriteAndRead(const char* path, const char* text);
}

#endif  // FSLOAD_CI_TENSORFLOW_TENSORFLOW_SIDE_H_
