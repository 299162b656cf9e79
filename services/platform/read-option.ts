import { getOption, hasOption } from "@bufbuild/protobuf";

/**
 * The value of an option of a descriptor, or the option's default, which is one object for all and must not be changed.
 * `getOption` would compile a message for each reading, also for the many options that are not set.
 */
export const readOption: typeof getOption = (element, option) => {
  if (hasOption(element, option)) return getOption(element, option);
  if (!defaults.has(option)) defaults.set(option, getOption(element, option));
  return defaults.get(option) as ReturnType<typeof getOption<typeof option, typeof element>>;
};

const defaults = new Map<unknown, unknown>();
