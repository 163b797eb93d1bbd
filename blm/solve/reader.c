/* Reads the matrices of one part as clingo finds them: a row of codes for each model.

   blm compiles this file with the user's C compiler when a part is large (blm/solve/compiled.py),
   and does without it where there is none.  It needs no header of clingo: the one function that
   it calls comes as a pointer, and models are never looked into. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef bool (*is_true_t)(void const *model, int32_t literal, bool *result);

/* `marks` literals, those of one column together: literal[i] true puts code[i] into column[i].
   The same structure stands in blm/solve/compiled.py. */
typedef struct {
    size_t width, marks, most, count, capacity;
    int32_t const *literal;
    int32_t const *column;
    int16_t const *code;
    int16_t *rows; /* count rows of width codes */
    is_true_t is_true;
} blm_reader_t;

static bool grow(blm_reader_t *reader) {
    size_t capacity = reader->capacity ? 2 * reader->capacity : 1024;
    int16_t *rows = realloc(reader->rows, capacity * reader->width * sizeof *rows);
    if (rows == NULL) { return false; }
    reader->rows = rows;
    reader->capacity = capacity;
    return true;
}

/* The callback of clingo_control_solve: type 0 is a model; false stops with an error. */
bool blm_read(unsigned type, void *model, void *data, bool *goon) {
    blm_reader_t *reader = data;
    if (type != 0) { return true; }
    if (reader->count == reader->capacity && !grow(reader)) { return false; }
    int16_t *row = reader->rows + reader->count * reader->width;
    memset(row, 0, reader->width * sizeof *row);
    for (size_t i = 0; i < reader->marks;) {
        int32_t column = reader->column[i];
        bool found = false;
        for (; i < reader->marks && reader->column[i] == column; ++i) {
            if (found) { continue; }
            if (!reader->is_true(model, reader->literal[i], &found)) { return false; }
            if (found) { row[column] = reader->code[i]; }
        }
    }
    *goon = ++reader->count <= reader->most;
    return true;
}

void blm_free(blm_reader_t *reader) {
    free(reader->rows);
    reader->rows = NULL;
}
