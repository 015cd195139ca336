// Files that are imported as text, with { type: "text" }.

declare module "htmx.org/dist/htmx.min.js" {
  const text: string;
  export default text;
}

declare module "*.css" {
  const text: string;
  export default text;
}

declare module "*.js" {
  const text: string;
  export default text;
}
