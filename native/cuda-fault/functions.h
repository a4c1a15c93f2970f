/*
 * Every intercepted function: F of the runtime, D of the driver; its kind (shim.h), and which argument is
 * the number of a device. Included wherever a list of them is needed, so it has no guard. What only asks
 * after versions, names of errors or the current context is not here: CUDA answers that whatever happens.
 * Names that a library lacks do no harm.
 */
#include "functions-runtime.h"
#include "functions-driver.h"
