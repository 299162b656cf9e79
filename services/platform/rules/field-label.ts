/** The label of a field in the contract's messages: sinceId and since_id → Since Id. */
export function fieldLabel(name: string): string {
  return name
    .replace(/_/g, " ")
    .replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ");
}
