internal import Glibc

/// Standard input, output and error.
enum StandardDescriptors {
    /// Opens /dev/null in place of a closed one: else the first file or socket that the command opens would get its
    /// number, and messages would be written into it (POSIX, open: the lowest that is free).
    ///
    /// Closed output stays unwritable, so that the loss of an answer is reported.
    static func fill() {
        for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            guard fcntl(number, F_GETFD) < 0, errno == EBADF else { continue }
            // All below are open, so that it gets this number; and it is for programs that are started as well.
            if open("/dev/null", number == STDERR_FILENO ? O_WRONLY : O_RDONLY) != number { _exit(1) }
        }
    }
}
