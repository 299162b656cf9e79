/** New values by column; the columns are fields of the public UpdateProfile (own-profile.ts), or `verified`. */
export type ProfileChange = Readonly<Record<string, string | number | boolean | null>>;
