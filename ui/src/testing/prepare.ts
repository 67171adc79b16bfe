import { FOLDERS, prepare } from "./fixtures/folders";

/** Makes the data folders before the first test: a test has no time for it. */
export default () => prepare(FOLDERS);
