import { cells, type Export, quoted, range, two } from './export.ts';

const SURVEY_IDS = ['Respondent ID', 'Start Date', 'Email Address'];
const answer = (at: number): string[] => [`1180001${at}`, `11/0${at + 1}/2026 10:00`, `c${at}@example.org`];
const QUESTIONS = ['How satisfied are you?', 'What should change?'];
const ANSWERED = range(7).map((at) => [...answer(at), at % 2 === 0 ? 'Very' : 'Hardly', `Idea ${at}`]);
const CHOSEN = range(7).map((at) => [...answer(at), 'Mail', at % 2 === 0 ? 'Phone' : '', `No ${at}`]);

const SURVEYS: Readonly<Record<string, Export>> = {
  'SurveyMonkey, kinds of answers below the questions': {
    lines: [
      [...SURVEY_IDS, ...QUESTIONS].join(','),
      ',,,Response,Open-Ended Response',
      ...ANSWERED.map((row) => row.join(',')),
    ],
    table: [[...SURVEY_IDS, `${QUESTIONS[0]} Response`, `${QUESTIONS[1]} Open-Ended Response`], ...ANSWERED],
  },
  'SurveyMonkey, choices below a question': {
    lines: [
      [...SURVEY_IDS, 'How may we write?', '', 'Why?'].join(','),
      ',,,Mail,Phone,Open-Ended Response',
      ...CHOSEN.map((row) => row.join(',')),
    ],
    table: [
      [...SURVEY_IDS, 'How may we write? Mail', 'How may we write? Phone', 'Why? Open-Ended Response'],
      ...CHOSEN,
    ],
  },
  'Qualtrics, three lines of names': {
    lines: [
      'StartDate,Progress,Q1,Q2',
      'Start Date,Progress,"How old are you, in years?",Why?',
      '"{""ImportId"":""startDate""}","{""ImportId"":""progress""}","{""ImportId"":""QID1""}","{""ImportId"":""QID2""}"',
      ...range(6).map((at) => `2026-11-0${at + 1} 10:00:00,100,${20 + at},Because ${at}`),
    ],
    table: cells(',', [
      'StartDate,Progress,Q1,Q2',
      ...range(6).map((at) => `2026-11-0${at + 1} 10:00:00,100,${20 + at},Because ${at}`),
    ]),
  },
  'a form with its questions in quotes': {
    lines: quoted(',', [
      ['Timestamp', 'What is\nyour name?', 'Age'],
      ...range(5).map((at) => [`2026/11/0${at + 1} 10:00:00 AM GMT+1`, `Ada ${at}`, String(30 + at)]),
    ]),
    table: [
      ['Timestamp', 'What is\nyour name?', 'Age'],
      ...range(5).map((at) => [`2026/11/0${at + 1} 10:00:00 AM GMT+1`, `Ada ${at}`, String(30 + at)]),
    ],
  },
};

const QUARTERS = range(10).map((at) => [`202${at >> 2} Q${(at % 4) + 1}`, `${at}.${at}`]);
const PARISHES = ['København', 'Hørsholm', 'Rødovre', 'Ærø', 'Sønderborg', 'Næstved'].map((name, at) => [
  name,
  `${at}10`,
  `${at}20`,
]);

const OFFICES: Readonly<Record<string, Export>> = {
  'ONS, names and values above two columns': {
    lines: quoted(',', [
      ['Title', 'Gross Domestic Product: q-on-q growth'],
      ['CDID', 'IHYQ'],
      ['Source dataset ID', 'QNA'],
      ['Unit', '%'],
      ['Release date', '13-11-2026'],
      ['Important notes', ''],
      ...QUARTERS,
    ]),
    table: [['', ''], ...QUARTERS],
  },
  'BLS, names and values above': {
    lines: [
      'Series Id:,LNS14000000',
      'Seasonally Adjusted',
      'Series title:,(Seas) Unemployment Rate',
      'Age:,16 years and over',
      '',
      'Series ID,Year,Period,Value',
      ...range(7).map((at) => `LNS14000000,2026,M${two(at + 1)},${at}.4`),
    ],
    table: cells(',', [
      'Series ID,Year,Period,Value',
      ...range(7).map((at) => `LNS14000000,2026,M${two(at + 1)},${at}.4`),
    ]),
  },
  'Statistics Canada, columns without a value': {
    lines: [
      '\ufeff"REF_DATE","GEO","UOM","VALUE","STATUS","SYMBOL","TERMINATED"',
      ...range(7).map((at) => `"2026-0${at + 1}","Canada","Dollars","${at}1.5","","",""`),
    ],
    table: [
      ['REF_DATE', 'GEO', 'UOM', 'VALUE', 'STATUS', 'SYMBOL', 'TERMINATED'],
      ...range(7).map((at) => [`2026-0${at + 1}`, 'Canada', 'Dollars', `${at}1.5`, '', '', '']),
    ],
  },
  'SIDRA, a title and a source': {
    lines: [
      '"Tabela 6579 - População residente estimada"',
      '"Variável - População residente estimada (Pessoas)"',
      '"Município";"2024";"2025"',
      ...['Alta Floresta (RO)', 'Ariquemes (RO)', 'Cabixi (RO)', 'Cacoal (RO)'].map(
        (name, at) => `"${name}";"${at}2516";"${at}2600"`,
      ),
      '"Fonte: IBGE - Estimativas de População"',
    ],
    table: [
      ['Município', '2024', '2025'],
      ...['Alta Floresta (RO)', 'Ariquemes (RO)', 'Cabixi (RO)', 'Cacoal (RO)'].map((name, at) => [
        name,
        `${at}2516`,
        `${at}2600`,
      ]),
    ],
  },
  'a statistics bank, names of rows in the second column': {
    encoding: 'ISO-8859-15',
    lines: [
      '"FOLK1A: Folketal den 1. i kvartalet"',
      '',
      '"";"2025K1";"2025K2"',
      ...PARISHES.map(([name = '', ...values]) => `"${name}";${values.join(';')}`),
    ],
    table: [['', '2025K1', '2025K2'], ...PARISHES.map(([name = '', ...values]) => [name, ...values])],
  },
  'CBS, a source at the end': {
    lines: [
      '"Bevolking; kerncijfers"',
      '"Perioden";"Bevolking (aantal)";"Groei (‰)"',
      ...range(6).map((at) => `"202${at}";"1740758${at}";"${at},5"`),
      '"Bron: CBS"',
    ],
    table: [
      ['Perioden', 'Bevolking (aantal)', 'Groei (‰)'],
      ...range(6).map((at) => [`202${at}`, `1740758${at}`, `${at},5`]),
    ],
  },
  'INSEE, codes below the names': {
    lines: [
      '"Libellé";"IPC - Ensemble"',
      '"idBank";"001759970"',
      '"Dernière mise à jour";"13/11/2026 08:45"',
      '"Période";""',
      ...range(8).map((at) => `"2026-0${at + 1}";"1${at}9.99"`),
    ],
    table: [['', ''], ...range(8).map((at) => [`2026-0${at + 1}`, `1${at}9.99`])],
  },
  'USGS, comments and a line of formats': {
    lines: [
      '# U.S. Geological Survey',
      '# retrieved: 2026-11-28 10:00:00 EST',
      '#',
      'agency_cd\tsite_no\tdatetime\tflow',
      '5s\t15s\t20d\t14n',
      ...range(7).map((at) => `USGS\t01646500\t2026-11-0${at + 1}\t${at}120`),
    ],
    table: cells('\t', [
      'agency_cd\tsite_no\tdatetime\tflow',
      ...range(7).map((at) => `USGS\t01646500\t2026-11-0${at + 1}\t${at}120`),
    ]),
  },
  'ERDDAP, units below some names': {
    lines: [
      'time,station,sea_water_temperature',
      'UTC,,degree_C',
      ...range(7).map((at) => `2026-11-0${at + 1}T00:00:00Z,Buoy ${at},1${at}.25`),
    ],
    table: [
      ['time UTC', 'station', 'sea_water_temperature degree_C'],
      ...range(7).map((at) => [`2026-11-0${at + 1}T00:00:00Z`, `Buoy ${at}`, `1${at}.25`]),
    ],
  },
  'KNMI, names in a comment': {
    lines: [
      '# BRON: KONINKLIJK NEDERLANDS METEOROLOGISCH INSTITUUT (KNMI)',
      '# FG : Etmaalgemiddelde windsnelheid (in 0.1 m/s)',
      '# ',
      '# STN,YYYYMMDD,   FG,   TG',
      ...range(7).map((at) => `260,2026110${at + 1},   ${at}3,   ${at}9`),
    ],
    table: [
      ['# STN', 'YYYYMMDD', 'FG', 'TG'],
      ...range(7).map((at) => ['260', `2026110${at + 1}`, `${at}3`, `${at}9`]),
    ],
  },
  'DWD, padded cells': {
    lines: [
      'STATIONS_ID;MESS_DATUM;  QN_3;  FX;eor',
      ...range(6).map((at) => `         44;2026110${at + 1};    10;  ${at}.8;eor`),
    ],
    table: [
      ['STATIONS_ID', 'MESS_DATUM', 'QN_3', 'FX', 'eor'],
      ...range(6).map((at) => ['44', `2026110${at + 1}`, '10', `${at}.8`, 'eor']),
    ],
  },
};

/** Exports of surveys and of offices. */
export const FORMS: Readonly<Record<string, Export>> = { ...SURVEYS, ...OFFICES };
