/** The shape of a workspace's scans, spread evenly over codes, places and the hours of a day. */
export interface Traffic {
  readonly codes: number;
  readonly countries: number;
  readonly citiesPerCountry: number;
  readonly scansPerDay: number;
  readonly scansPerMessage: number;
}

export const shapes = {
  hotCode: { codes: 1, countries: 5, citiesPerCountry: 10, scansPerDay: 27_000, scansPerMessage: 500 },
  manyCodes: { codes: 10_000, countries: 5, citiesPerCountry: 10, scansPerDay: 100_000, scansPerMessage: 1 },
  manyCountries: { codes: 1, countries: 200, citiesPerCountry: 10, scansPerDay: 27_000, scansPerMessage: 1 },
} as const satisfies Record<string, Traffic>;

export type ShapeName = keyof typeof shapes;

/** The cost of recording a number of scans. */
export interface TrafficCost {
  readonly scans: number;
  readonly newVisitors: number;
  /** Codes per message, summed over the messages. */
  readonly codesInMessages: number;
  /** Rows written by recording, and rows written by the object's alarms. */
  readonly recordingRows: number;
  readonly alarmRows: number;
  /** Rows read by both. */
  readonly rowsRead: number;
  readonly alarms: number;
}

/** The input of the ledger's rollups. */
export interface RollupSizes {
  /** Average bytes of a row for a code and day, and for the workspace and day. */
  readonly codeDay: number;
  readonly workspaceDay: number;
  /** Bytes of the whole ledger. */
  readonly ledger: number;
}
