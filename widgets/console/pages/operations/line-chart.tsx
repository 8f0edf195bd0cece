import '../../style/plots.css';
import { type ComponentChildren, Fragment } from 'preact';
import { useId, useState } from 'preact/hooks';
import { type Column, Table } from '../../parts/table/table.tsx';
import { axisMarks, highest, type Line, latest, pathOf, timeMarks } from './lines.ts';

const WIDTH = 300;

/** The colour and the dash of each line in turn. */
const LOOKS = ['c1', 'c2 d2', 'c3 d4', 'c5 d3'] as const;

interface ChartLine {
  readonly name: string;
  readonly values: Line;
  /** True for an identifier. */
  readonly isCode?: true;
}

interface LineChartProps {
  readonly title: string;
  readonly unit: string;
  readonly times: readonly string[];
  /** At most four. */
  readonly lines: readonly ChartLine[];
  readonly goal?: number;
  /** True if values between whole numbers do not exist. */
  readonly isWhole?: true;
  readonly show: (value: number) => string;
  /** Below the lines in the legend. */
  readonly also?: ComponentChildren;
}

/** Lines over time in a panel, and the same numbers as a table. */
export function LineChart(props: LineChartProps) {
  const { title, unit, times, lines, goal, isWhole, show, also } = props;
  const id = useId();
  const [isTable, setTable] = useState(false);
  const marks = axisMarks(Math.max(highest(lines.map(({ values }) => values)), goal ?? 0), isWhole);
  const end = marks[0] ?? 1;
  return (
    <section class="panel" aria-labelledby={id}>
      <div class="panel-head">
        <h2 id={id}>{title}</h2>
        <span>{unit}</span>
        <div class="actions">
          <button type="button" class="link" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
            Show as table<span class="vh">: {title}</span>
          </button>
        </div>
      </div>
      <div class="panel-body graph">
        {isTable ? (
          <Numbers {...props} />
        ) : (
          <div class="chart" role="img" aria-label={describe(props)}>
            <div class="y" aria-hidden="true">
              {marks.map((mark) => (
                <span key={mark}>{show(mark)}</span>
              ))}
            </div>
            <svg viewBox={`0 0 ${WIDTH} 100`} preserveAspectRatio="none" aria-hidden="true">
              <path class="grid" d={`M0 0H${WIDTH}M0 25H${WIDTH}M0 50H${WIDTH}M0 75H${WIDTH}`} />
              <path class="base" d={`M0 100H${WIDTH}`} />
              {goal !== undefined && <path class="limit" d={`M0 ${100 - (goal / end) * 100}H${WIDTH}`} />}
              {lines.map(({ name, values }, index) => (
                <path key={name} class={`run ${LOOKS[index]}`} d={pathOf(values, end, WIDTH)} />
              ))}
            </svg>
            <div class="x" aria-hidden="true">
              {timeMarks(times).map((text, index) => (
                <span key={index}>{text}</span>
              ))}
            </div>
          </div>
        )}
        <ul class="legend">
          {lines.map(({ name, values, isCode }, index) => (
            <li key={name}>
              <Swatch look={LOOKS[index] ?? 'c1'} />
              {isCode === true ? <code>{name}</code> : name} <b>{shown(latest(values), show)}</b>
            </li>
          ))}
          {goal !== undefined && (
            <li>
              <Swatch look="limit-key d2" />
              goal <b>{show(goal)}</b>
            </li>
          )}
          {also}
        </ul>
      </div>
    </section>
  );
}

function Swatch({ look }: { readonly look: string }) {
  return (
    <svg class="swatch" viewBox="0 0 14 8" aria-hidden="true">
      <path class={`key ${look}`} d="M0 4H14" />
    </svg>
  );
}

/** The whole of a chart in words. */
function describe({ title, unit, lines, goal, show }: LineChartProps): string {
  const texts = lines.map(
    ({ name, values }) => `${name}: ${shown(latest(values), show)} now, at most ${show(highest([values]))}`,
  );
  const end = goal === undefined ? [] : [`The goal is ${show(goal)}`];
  return [`${title}, ${unit}`, ...texts, ...end].join('. ');
}

function shown(value: number | null, show: (value: number) => string): string {
  return value === null ? '–' : show(value);
}

/** The numbers of a chart, the newest first. */
function Numbers({ title, times, lines, show }: LineChartProps) {
  return (
    <div class="numbers">
      <Table
        label={`${title}, numbers`}
        class="dense"
        columns={['UTC', ...lines.map(({ name }): Column => [name, 'n'])]}
      >
        <tbody>
          {times
            .map((at, index) => (
              <tr key={at}>
                <th scope="row" class="num">
                  {at.slice(11, 19)}
                </th>
                {lines.map(({ name, values }) => (
                  <Fragment key={name}>
                    <td class="n">{shown(values[index] ?? null, show)}</td>
                  </Fragment>
                ))}
              </tr>
            ))
            .reverse()}
        </tbody>
      </Table>
    </div>
  );
}
