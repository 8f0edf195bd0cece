import { folded } from './signs.ts';

/** The codes of ISO 4217, those of money that is in use. */
const CODES =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNH CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG';

/** Names of currencies beside their signs, folded and without dots. */
const NAMES =
  "r rs rm rp kr kc ft zł zl lei leu lek leke щд лв руб р грн kn din rsd дин ден fr sfr tl dh dhs bs s/ q c$ b/ 元 円 圓 원 บาท euro euros km sek ksh tsh ush br nu tk rd$ cfa fcfa f դր сум so'm сом رس دإ دك دب جم رق رع دم دج دت لل دا دع ريال ریال dkr nkr ikr";

let known: ReadonlySet<string> | null = null;

/** Letters of a country beside a sign. Others are units, such as `k€`, a thousand euros. */
const COUNTRIES = '(?:usa?|can?|c|au?|nz|hk|nt|mxn?|sg|s|ec|rd|bz|tt|cl|col?|ar|r|j|cn|jp)';
/** The sign of a currency, but not that of a part of one, such as a cent. */
const SIGN = new RegExp(`^(?:${COUNTRIES}?(?![¢￠₥₰])\\p{Sc}|\\p{Sc}${COUNTRIES})$`, 'u');

/** Signs that stand for one currency only, and the code for which they stand. */
const CODE_OF_SIGN: Readonly<Record<string, string>> = { '€': 'eur', euro: 'eur', euros: 'eur' };

/**
 * Returns the sign, the code or a usual name of a currency, such as `$`, `US$`, `EUR`, `kr.` or `zł`, in one form; an empty text
 * for an empty one, and null for anything else.
 */
export function currencyOf(text: string): string | null {
  if (text === '') return '';
  known ??= new Set([...CODES.toLowerCase().split(' '), ...NAMES.split(' ')]);
  const name = folded(text).replaceAll(/[.\s]/gu, '');
  const isKnown = known.has(name) || SIGN.test(name);
  return isKnown ? (CODE_OF_SIGN[name] ?? name) : null;
}
