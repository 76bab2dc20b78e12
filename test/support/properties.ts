/** Properties, with a seed that a failure prints and a number of runs that fits into the suite's time. */
import * as fc from "fast-check";

fc.configureGlobal({ numRuns: 200 });

export { fc };
