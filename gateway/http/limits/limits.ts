/** Bytes of a request body (contract §2). */
export const maxBodyBytes = 1024 * 1024;

/**
 * Bytes of all bodies that are being received or worked on. A process with a heap of 256 MiB can hold these, since a body is in
 * memory up to four times: as bytes, text, message and bytes of a call.
 */
export const maxBytesOfBodies = 24 * 1024 * 1024;

/** Bytes of all batch replies that are made or sent: room for 100 different timelines of 200 in Latin letters. A repeated page counts once. */
export const maxBytesOfBatches = 48 * 1024 * 1024;

/** Entries in the lists of those items of one batch that run at once: as many as one request may have. */
export const maxBatchEntriesAtOnce = 1_000;

/** Items of all batches that run at once, for each service; of one batch only one. */
export const maxBatchItemsAtOnce = 16;

/** The same for items that read what is cached. They share calls, so more of them cost the service little; those of one batch run at once. */
export const maxBatchReadsAtOnce = 256;

/** Bytes of all requests whose headers are not complete yet. */
export const maxBytesOfHeads = 6 * 1024 * 1024;

/**
 * Bytes of memory for all requests that are not answered yet: long heads, requests behind others of their connection, long lists and the
 * items of batches. Room for 400 heads of 55 KB, or 260 lists of 1,000 entries.
 */
export const maxMemoryOfRequests = 24 * 1024 * 1024;

/** Memory in bytes of a head that is not counted: a connection takes more. */
export const shortHeadMemory = 8 * 1024;

/** Bytes of memory for an entry of a list, with the objects that wait for it, and for an item of a batch. */
export const entryMemory = 96;
export const itemMemory = 768;

/** Entries of lists that are not counted. */
export const shortList = 16;

/** Bytes of buffers other than cached pages at which clients that do not read their replies are disconnected, if a quarter of that waits to be sent. */
export const maxBytesUnsent = 96 * 1024 * 1024;

/** Bytes of an announced body that is cheap to store and to compare: twenty names with their field. */
export const shortBodyBytes = 1_024;

/** Chunks of a body: 64 KiB that come byte by byte. Each costs 5 µs of processor time, however short it is. */
export const maxChunks = 64 * 1024;

/** Bytes of all headers together. */
export const maxHeaderBytes = 60 * 1024;

/** Header lines, of at least five bytes each: the time in which Node reads more of them grows with their square. */
export const maxHeaderLines = maxHeaderBytes / 5;

/**
 * Bytes of request line and headers at which Node's parser fails. Far above our own limits, which distinguish a long URL (414) from
 * long headers (431); the parser does not.
 */
export const parserHeaderBytes = 256 * 1024;

/** Characters of a request target: 1,000 names of 36 characters with their commas percent-encoded, and room to spare. */
export const maxUrlLength = 48 * 1024;

/** Requests in one batch (contract §1.7). */
export const maxBatchSize = 100;

/**
 * UTF-16 units of one text that are sent to a service. No field allows more than half as many, so a service refuses a text that was
 * cut here as it would refuse the whole one.
 */
export const maxTextLength = 16 * 1024;

/** Values of wanted fields in a query or a form: five for each entry that lists may have, and it takes 5 ms to read them. */
export const maxPairs = 5_000;

/** The largest id: what JavaScript reads exactly (contract §3). */
export const maxId = Number.MAX_SAFE_INTEGER;
