/** Data to measure on. The first `readers` authors have many statuses, and only they are read. */
export interface Dataset {
  name: string;
  authors: number;
  readers: number;
  /** Statuses of each author who is read. */
  deep: number;
  /** Statuses of each other author. */
  shallow: number;
}

/** 10,000 authors with 1,000,000 statuses. */
export const largeDataset: Dataset = { name: "large", authors: 10_000, readers: 1_000, deep: 550, shallow: 50 };

/** 10,000 statuses of the same readers; their newest ten are those of the large dataset. */
export const smallDataset: Dataset = { name: "small", authors: 1_000, readers: 1_000, deep: 10, shallow: 10 };

/** 100,000 authors with 10,000,000 statuses, of which no cache of the bench holds more than a part. */
export const growthDataset: Dataset = { name: "growth", authors: 100_000, readers: 100_000, deep: 100, shallow: 100 };

/** The screen name of an author, counted from 0. */
export function screenName(index: number): string {
  return `author${index + 1}`;
}
