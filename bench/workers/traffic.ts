import { packScans, type ScanRecord } from "../../src/edge/scans/pack.ts";
import { newId } from "../../src/lib/text/ids.ts";
import type { ScanBatch } from "../../src/protocol/messages.ts";
import type { RowMeter } from "./row-meter.ts";
import type { Traffic, TrafficCost } from "./traffic-shapes.ts";

/** The methods of a ledger that scans call. */
interface Recording {
  recordScans(batches: readonly ScanBatch[], now: number): Promise<unknown>;
  alarm(): Promise<void>;
}

/** Midnight in the future, so that no alarm fires by itself. */
const start = Date.UTC(2100, 0, 10);
const day = 24 * 60 * 60 * 1000;

/**
 * Records a range of a traffic's scans in a ledger, message by message on its own clock, and runs each alarm when it is
 * due. Every visitor scans a code twice.
 * @param from the number of the first scan
 * @param to the number after the last one
 */
export async function recordTraffic(
  ledger: Recording,
  meter: RowMeter,
  traffic: Traffic,
  from: number,
  to: number,
): Promise<TrafficCost> {
  let [newVisitors, codesInMessages, recordingRows, alarmRows, rowsRead, alarms] = [0, 0, 0, 0, 0, 0];
  const { scansPerMessage } = traffic;
  for (let first = from; first < to; first += scansPerMessage) {
    const numbers = Array.from({ length: Math.min(scansPerMessage, to - first) }, (_, i) => first + i);
    const scans = numbers.map((n) => scanOf(traffic, n));
    newVisitors += numbers.filter((n) => isFirst(traffic, n)).length;
    codesInMessages += new Set(scans.map(({ qrId }) => qrId)).size;
    const now = timeOf(traffic, first + scansPerMessage);
    await ledger.recordScans(packScans(scans), now);
    const recorded = meter.take();
    recordingRows += recorded.written;
    rowsRead += recorded.read;
    while (meter.alarmAt !== null && meter.alarmAt <= now) {
      meter.alarmAt = null;
      await ledger.alarm();
      alarms += 1;
    }
    const folded = meter.take();
    alarmRows += folded.written;
    rowsRead += folded.read;
  }
  return { scans: to - from, newVisitors, codesInMessages, recordingRows, alarmRows, rowsRead, alarms };
}

const timeOf = ({ scansPerDay }: Traffic, n: number): number => start + Math.floor((n * day) / scansPerDay);

/** Returns a scan's index among its code's scans. */
const turnOf = ({ codes }: Traffic, n: number): number => Math.floor(n / codes);

const isFirst = (traffic: Traffic, n: number): boolean => turnOf(traffic, n) % 2 === 0;

function scanOf(traffic: Traffic, n: number): ScanRecord {
  const code = n % traffic.codes;
  const visitor = (turnOf(traffic, n) >> 1) * traffic.codes + code;
  const country = visitor % traffic.countries;
  const city = Math.floor(visitor / traffic.countries) % traffic.citiesPerCountry;
  return {
    id: newId(timeOf(traffic, n)),
    workspaceId: "01900000-0000-7000-8000-000000000002",
    qrId: `01900000-0000-7000-8000-${hex(code, 12)}`,
    hash: hex(code, 8),
    userAgent: agents[visitor % agents.length] ?? null,
    country: String.fromCharCode(65 + Math.floor(country / 26), 65 + (country % 26)),
    city: `City ${city}`,
    visitor: hex(mix(visitor), 8) + hex(mix(visitor ^ 0x5bd1e995), 8),
    referrer: null,
    prefetch: false,
    isMailNetwork: false,
    via: null,
  };
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");

/** Spreads a number over 32 bits, like a visitor's keyed hash: the finalizer of MurmurHash3. */
function mix(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

const agents = [
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
];
