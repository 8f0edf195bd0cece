import { folded } from './signs.ts';

/**
 * The names of the months from January to December, full and short, folded, in the languages
 * that are written in the encodings of `../fix/encodings.ts`: `month-names.test.ts` lists them. A name of two
 * words has an underscore; a text has U+00A0 there. Behind a bar stands the rest of a longer name: `jan|uar` are `jan` and `januar`.
 */
const NAMES = [
  'ean|air ene|ro gen|er gennaio ian|uarie ion|awr jaan|uar jan|ar janeiro jannar janner januar|a januari|e january janv|aris janvier led|en ledna oca|k sausio sausis sij|ecanj sijecnja sty|czen stycznia tammi|kuu|ta urt|arrila xan|eiro yan|var ιαν|ουαριου сту|дзень студзеня січ|ень січня янв|арь января януари јан|уар|и ינו|אר جانفي جنوری كانون_الثاني يناير ژانویه|ٔ มกราคม มค',
  'chw|ef|ror feabh|ra feb|braio febr|eiro febrer|o februar|a februari|e februaris february fev|ereiro fevr|al fevrier fra|r helmi|kuu|ta lut|ego luty ots|aila shk|urt sub|at uno|r|a vasario vasaris veebr|uar velj|aca veljace φεβ|ρουαριου лют|ага лютии лютого люты феб|руар фев|р|аль февраля февруари פבר|ואר شباط فبراير فروری فوریه|ٔ فيفري กพ กุมภาพันธ์',
  'bre|zen brezna kovas kovo maalis|kuu|ta maart mac mae|rz mar|c|a march marcius marco marec maret mars mart|a martie marts martxoa marz|ec marzo marzu maw|rth mrt mrz ozu|jak ozujka μαρ|τιου бер|езень березня мар|т|а сак|авік|а מרץ آذار مارس مارچ มีค มีนาคม',
  'abr|ell abril aib|rean api|rila apr|el april|a aprile aprilie aprilis aprill avr|il balandis balandzio dub|en dubna ebr|ill huhti|kuu|ta kwi|ecien kwietnia nis|an pri|ll tra|vanj travnja απρ|ιλιου апр|ель апреля април квіт|ень квітня кра|савік|а אפר|יל آوریل أبريل أفريل اپریل نيسان เมย เมษายน',
  'beal|taine geguze|s kve|ten kvetna mag|gio mai|atza maig maijs maio maj|a majus may|is mayo mee mei mej|ju svi|banj svibnja touko|kuu|ta μαι|ου маи мая мај трав|ень травня מאי أيار مئی ماي|و مه|ٔ พค พฤษภาคม',
  'birzelio birzelis cerven cervna cvn cze|rwca czerwiec eka|ina giu|gno gun|ju haz|iran iun|ie iyn iyun juin jun|a june junho juni|e junij|s junio junius juny juuni kesa|kuu|ta lipanj lipnja meh|efin meith|eamh qer|shor xuno ιουν|ιου июн|ь июня черв|ень червня чэр|вень чэрвеня юни јун|и יוני جوان جون حزيران يونيو ژوئن มิถุนายน มิย',
  'cervence cervenec cvc gor|ff|ennaf heina|kuu|ta iuil iul|ie iyl iyul juil|l|et jul|a|i julho juli|e julij|s julio|l julius july juuli korr|ik liepa liepos lip|ca lipiec lug|lio lul|ju srpanj srpnja tem|muz uzt|aila xul|lo ιουλ|ιου июл|ь июля лип|ень липня ліп|ень ліпеня юли јул|и יולי تموز جولائی جويلية يوليو|ز ژوئیه|ٔ กค กรกฎาคม',
  'abu|ztua ag|o|st|o agu|st|os agustus aout aug|ust|a augusti augusts augustus augusztus avg|ust avq|ust awst aww|issu elo|kuu|ta gush|t kol|ovoz|a lun|asa ogo|s rugpjucio rugpjutis sie|rpien sierpnia srp|en srpna αυγ|ουστου авг|уст|а жні|вень жніуня серп|ень серпня אוג|וסט آب أغسطس أوت اوت اگست غشت สค สิงหาคม',
  'eyl|ul ira|ila mean_fomhair medi mfomh rugsejis rugsejo ruj|an rujna sen|tyabr sep|t|embar september septembra septembre septembrie septembris septiembre set|embre setembro settembre settembru sht|ator syys|kuu|ta szept|ember wrz|esien wrzesnia zar|i σεπ|τεμβριου вер|асень верасня вересень вересня сент|ябрь сентября сеп|тембар септември ספט|מבר أيلول سبتمبر ستمبر سپتامبر شتنبر กย กันยายน',
  'deireadh_fomhair dfomh eki|m hyd|ref loka|kuu|ta oct|ober octobre octombrie octubre okt|obar oktober oktobra oktobris oktoober oktyabr ott|obre ottubru out|ubro paz|dziernik|a rij|en rijna spalio spalis tet|or urr|ia οκτ|ωβριου жовт|ень жовтня кас|трычнік|а окт|обар октомври октябрь октября אוק|טובר أكتوبر اکتبر اکتوبر تشرين_الأول ตค ตุลาคม',
  'aza|roa kas|im lapkricio lapkritis lis|topad|a listopadu marras|kuu|ta nen|tor noiembrie nov|embar november novembra novembre novembris novembro novembru noviembre noy|abr samh|ain stu|deni studenoga tach|wedd νοε|μβριου лист|опад|а ліс|тапад|а нов|ембар ное|мври нояб|рь ноября נוב|מבר تشرين_الثاني نوامبر نوفمبر نومبر نونبر พย พฤศจิกายน',
  'abe|ndua ara|lik dec|embar december decembra decembre decembrie decembris decembro dek|abr des|ember desembre dets|ember dez|ember dezembro dhj|etor dic|embre dicembru diciembre dis|ember gru|dnia grudzien gruodis gruodzio joulu|kuu|ta noll|aig pro|sinac prosinca prosince prosinec rhag|fyr δεκ|εμβριου груд|ень грудня дек|абрь декабря декември дец|ембар сне|жань снежня דצמ|בר دجنبر دسامبر دسمبر ديسمبر كانون_الأول ธค ธันวาคม',
] as const;

/** Names that mean another month in Croatian than in Polish and Czech. */
const CROATIAN: Readonly<Record<string, number>> = { lip: 6, srp: 7, lis: 10, listopad: 10, listopada: 10 };

let numbers: ReadonlyMap<string, number> | null = null;

/** The names of all months with their numbers, from 1. */
export function monthNames(): ReadonlyMap<string, number> {
  numbers ??= new Map(
    NAMES.flatMap((names, at) =>
      names
        .split(' ')
        .flatMap(formsOf)
        .map((name) => [name, at + 1] as const),
    ),
  );
  return numbers;
}

function formsOf(chain: string): string[] {
  const parts = chain.replace('_', '\u00a0').split('|');
  return parts.map((_, at) => parts.slice(0, at + 1).join(''));
}

/** The number of a month, from 1, and in Croatian; 0 for a word that is none. */
function monthOf(word: string): readonly [month: number, inCroatian: number] {
  const month = monthNames().get(word) ?? 0;
  return [month, CROATIAN[word] ?? month];
}

/** The number of the month in a word that has a prefix or an ending of its language, or in the word as it is. */
export function inflectedMonth(text: string): readonly [month: number, inCroatian: number] {
  const word = folded(text).replaceAll(/[.׳'’]/gu, '');
  const forms = [word, word.replace(/^[dב]/u, ''), word.replace(/ren$/, '')];
  return forms.map(monthOf).find(([month]) => month > 0) ?? [0, 0];
}
