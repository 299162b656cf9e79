/** Latitude and longitude of the town's places. Kittiwick lies out in the North Sea, where no real town can mind. */
export const places: Readonly<Record<string, readonly [latitude: number, longitude: number]>> = {
  lamp: [56.1284, 1.2147],
  quay: [56.1201, 1.2052],
  pier: [56.1193, 1.2081],
  slip: [56.1217, 1.2066],
  bakery: [56.1209, 1.2031],
  square: [56.1214, 1.2012],
  field: [56.1248, 1.1931],
  strand: [56.1162, 1.2019],
  marsh: [56.1105, 1.1894],
  sound: [56.1463, 1.2688],
  holm: [56.1712, 1.3304],
  bank: [56.2031, 1.4117],
};
