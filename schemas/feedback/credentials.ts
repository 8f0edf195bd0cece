import { credential } from '../workspaces/credential.ts';
import { widgetTargetSchema } from './documents.ts';

/** Its id is the widget. */
interface WidgetCaller {
  readonly owned: { readonly widgetId: string };
  readonly origin: string;
}

/** The callers that feedback adds. A widget has no secret: its id is in the page, and the origin of the page is checked. */
export const feedbackCredentials = {
  widget: credential<WidgetCaller>()({
    secret: null,
    indexKind: 'feedback-widget',
    target: widgetTargetSchema,
    label: "page of the widget's origin",
    description: 'A page of the origin of a feedback widget. The path names the widget.',
    actor: 'visitor',
    pages: 'always',
  }),
};
