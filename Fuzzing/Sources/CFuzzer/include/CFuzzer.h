// The package manager gives an executable's `main` the name of its target; libFuzzer's own never runs.
#pragma once
int http_fuzz_main(int argc, char *_Nullable *_Nonnull argv);
int json_fuzz_main(int argc, char *_Nullable *_Nonnull argv);
int coding_fuzz_main(int argc, char *_Nullable *_Nonnull argv);
int rows_fuzz_main(int argc, char *_Nullable *_Nonnull argv);
