/** A style sheet as text, minified by the build. */
declare module '*.css?inline' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: The build makes such modules.
  export default text;
}
