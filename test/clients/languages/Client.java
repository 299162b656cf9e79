import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

/** JSON by Java's own client, which sends a cookie that has a Max-Age in quotes. Prints the replies, one on a line. */
class Client {
    public static void main(String[] arguments) throws Exception {
        var client = HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
        var person = "{\"userName\":\"javanese\",\"password\":\"correct horse\",\"autoLogin\":true}";
        var json = HttpRequest.newBuilder().header("Content-Type", "application/json");
        send(client, json.uri(URI.create(arguments[0] + "/register")).POST(BodyPublishers.ofString(person)).build());
        send(client, HttpRequest.newBuilder(URI.create(arguments[0] + "/auth/sessions")).build());
    }

    private static void send(HttpClient client, HttpRequest request) throws Exception {
        var reply = client.send(request, BodyHandlers.ofString());
        System.out.println(reply.statusCode() + " " + reply.body());
    }
}
