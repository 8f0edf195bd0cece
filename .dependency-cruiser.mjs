export default {
  forbidden: [{ name: 'no-a-b', severity: 'error', from: { path: '^a/' }, to: { path: '^b/' } }],
  options: { parser: 'swc', doNotFollow: { path: 'node_modules' } },
};
