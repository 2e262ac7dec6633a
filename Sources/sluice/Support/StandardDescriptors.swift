internal import Glibc

/// Standard input, output and error.
enum StandardDescriptors {
    /// Puts /dev/null where one of them is closed: the first file or socket that the command opens would get its
    /// number, and what is meant for people would be written into that (POSIX, open: the lowest that is free).
    ///
    /// Output that was closed stays one that cannot be written to, so that the loss of an answer is told.
    static func fill() {
        for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            guard fcntl(number, F_GETFD) < 0, errno == EBADF else { continue }
            // All below are open, so that it gets this number; and it is for programs that are started as well.
            if open("/dev/null", number == STDERR_FILENO ? O_WRONLY : O_RDONLY) != number { _exit(1) }
        }
    }
}
