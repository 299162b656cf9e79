/** One line of the table. */
export interface Measurement {
  name: string;
  value: string;
}
