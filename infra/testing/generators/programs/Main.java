import java.io.File;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.CsvImportApi;
import org.openapitools.client.api.OnboardingChecklistsApi;
import org.openapitools.client.api.RateLimitsApi;
import org.openapitools.client.auth.HttpBearerAuth;
import org.openapitools.client.model.CheckDecision;
import org.openapitools.client.model.CheckRequest;
import org.openapitools.client.model.EventOutcome;
import org.openapitools.client.model.RecordEventRequest;
import org.openapitools.client.model.SubjectCohort;
import org.openapitools.client.model.UploadedImport;

public class Main {
  public static void main(String[] words) throws Exception {
    ApiClient client = new ApiClient().setBasePath(System.getenv("SVC_URL"));
    send(client, "limiter", "LIMITER_KEY");
    send(client, "project", "PROJECT");
    send(client, "upload", "UPLOAD_TOKEN");
    String name = System.getenv("NAME");

    CheckRequest check = new CheckRequest().namespace("generators").identifier(name).window(3_600_000L).limit(100);
    CheckDecision decision = new RateLimitsApi(client).check(check, null).getData();

    RecordEventRequest event = new RecordEventRequest()
        .schemaVersion(RecordEventRequest.SchemaVersionEnum._2026_09_07)
        .idempotencyKey(name)
        .subjectDigest(System.getenv("SUBJECT"))
        .cohort(SubjectCohort.TEST)
        .eventKey("first");
    EventOutcome recorded = new OnboardingChecklistsApi(client)
        .recordEvent(System.getenv("INSTALLATION_ID"), System.getenv("CHECKLIST_ID"), event);

    File file = new File(System.getenv("FILE"));
    UploadedImport uploaded = new CsvImportApi(client).uploadImportSource(System.getenv("IMPORT_ID"), file, null);

    System.out.println(decision.getAllowed() + " " + decision.getResetAt() + " " + recorded.getEventId() + " "
        + recorded.getReceivedAt().toInstant().toEpochMilli() + " " + uploaded.getByteLength());
    System.exit(0);
  }

  private static void send(ApiClient client, String credential, String variable) {
    ((HttpBearerAuth) client.getAuthentication(credential)).setBearerToken(System.getenv(variable));
  }
}
