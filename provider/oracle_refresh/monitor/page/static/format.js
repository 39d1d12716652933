// Numbers as people read them.

const number = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

export const count = (value) => (value === undefined || value === null ? "–" : number.format(value));

export const plural = (value, one, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`;

export function seconds(value) {
  if (value === undefined || value === null) return "–";
  if (value < 10) return `${value.toFixed(1)} s`;
  if (value < 120) return `${Math.round(value)} s`;
  const minutes = Math.round(value / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

export function clock(value) {
  const whole = Math.max(0, Math.round(value));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return (parts[0] ? parts : parts.slice(1)).map((part, index) => String(part).padStart(index ? 2 : 1, "0")).join(":");
}

export function bytes(value) {
  if (!value) return "0 MB";
  for (const [limit, unit] of [[1e12, "TB"], [1e9, "GB"], [1e6, "MB"]]) {
    if (value >= limit) return `${(value / limit).toFixed(value / limit < 10 ? 1 : 0)} ${unit}`;
  }
  return `${(value / 1e6).toFixed(2)} MB`;
}

export const percent = (fraction) => `${fraction >= 0.9995 ? 100 : Math.floor(fraction * 1000) / 10} %`;

export const moment = (iso) =>
  iso ? new Date(iso).toLocaleString(undefined, { year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "2-digit", timeZoneName: "short" }) : "–";
