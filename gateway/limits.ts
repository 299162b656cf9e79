/** Bytes of a request body (contract §2). */
export const maxBodyBytes = 1024 * 1024;

/**
 * Bytes of the request line and all headers together; Node's default of 16 KiB is less than 1,000 ids in a path. A little
 * under the 64 KiB that a socket is read in, so that one read mostly shows whether the URL or a header was too long.
 */
export const maxHeaderBytes = 60 * 1024;

/** Characters of a request target: 1,000 names of 36 characters with their commas percent-encoded, and room to spare. */
export const maxUrlLength = 48 * 1024;

/** Requests in one batch (contract §2). */
export const maxBatchSize = 100;

/** Parts of a multipart body. */
export const maxFormParts = 1_000;

/** The largest id: what JavaScript reads exactly (contract §3). */
export const maxId = Number.MAX_SAFE_INTEGER;
